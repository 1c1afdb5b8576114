-- Not the hot path: a plan is asked for by a person, and looks at one day of minutes.
select destination_id
from penstock.rollup
where minute >= :from and admitted > 0
group by destination_id
order by sum(admitted) desc, destination_id
limit :most
