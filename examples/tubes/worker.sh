#!/bin/bash
# A worker for Penstock's tubes in shell, to copy and change. Needs bash, curl and jq or python3.
#
# It leases one job at a time, renews the lease in the background while the command runs with the
# payload on its standard input, and ends the job: complete when the command succeeds, fail when it
# does not, release when the worker was told to stop. When the lease is lost the command is ended:
# somebody else has the job.
#
#   PENSTOCK_API_KEY=ps_... PENSTOCK_TUBES=crawl,sync ./worker.sh my-command --flag
#   PENSTOCK_API_KEY=ps_... PENSTOCK_POOL=scrapers    ./worker.sh my-command
set -u

url=${PENSTOCK_URL:-http://127.0.0.1:8420}
grace=${PENSTOCK_GRACE:-20}
: "${PENSTOCK_API_KEY:?wanted an API key with the scope worker}"
[ $# -gt 0 ] || { echo "usage: worker.sh COMMAND [ARGUMENT...]" >&2; exit 2; }
# The name is for people; leases go by their numbers.
worker="$(hostname | cut -c1-40)-$$-$RANDOM"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The key goes to curl by a file that only we can read: others see a command line.
(umask 077; printf 'header = "Authorization: Bearer %s"\n' "$PENSTOCK_API_KEY" > "$scratch/curl")

if [ -n "${PENSTOCK_POOL:-}" ]; then
  serves="\"pool\":\"$PENSTOCK_POOL\""
else
  : "${PENSTOCK_TUBES:?wanted PENSTOCK_POOL or PENSTOCK_TUBES}"
  serves="\"tubes\":[\"${PENSTOCK_TUBES//,/\",\"}\"]"
fi

# field FILE NAME: a field of the first job, or of the answer; payload as JSON.
field() {
  if command -v jq > /dev/null; then
    jq -cr "(.jobs[0].$2 // .$2) // empty" < "$1"
  else
    python3 -c '
import json, sys
answer = json.load(open(sys.argv[1]))
value = (answer.get("jobs") or [{}])[0].get(sys.argv[2], answer.get(sys.argv[2]))
if value is not None:
    print(value if isinstance(value, str) else json.dumps(value, separators=(",", ":")))
' "$1" "$2"
  fi
}

# post PATH BODY ANSWER: the HTTP status; 000 when nobody answers.
post() {
  curl -sS -K "$scratch/curl" -m 40 -o "$3" -w '%{http_code}' \
    -H 'Content-Type: application/json' -d "$2" "$url$1" 2> /dev/null || true
}

stopping=
trap 'stopping=yes' TERM INT

renew() { # EVERY JOB_PATH LEASE_NO: until it is killed; leaves a mark when the lease is lost
  trap - TERM INT
  while sleep "$1"; do
    if [ "$(post "$2/renew" "{\"lease_no\":$3}" "$scratch/renewed")" = 409 ]; then
      touch "$scratch/lost"
      return
    fi
  done
}

end() { # JOB_PATH ACTION BODY: until somebody answers, for a minute
  local status try
  for try in 1 2 4 8 15 30; do
    status=$(post "$1/$2" "$3" "$scratch/ended")
    case $status in
      000 | 429 | 503) sleep "$try" ;;
      *) [ "$status" = 200 ] || echo "$2: $status $(cat "$scratch/ended")" >&2; return ;;
    esac
  done
}

handle() {
  local tube job number path every code child renewer until
  tube=$(field "$scratch/leased" tube)
  job=$(field "$scratch/leased" job)
  number=$(field "$scratch/leased" lease_no)
  every=$(field "$scratch/leased" renew_every_seconds)
  path="/v1/tubes/$tube/jobs/$job"
  rm -f "$scratch/lost"
  field "$scratch/leased" payload > "$scratch/payload"
  renew "$every" "$path" "$number" &
  renewer=$!
  PENSTOCK_TUBE=$tube PENSTOCK_JOB=$job "${command[@]}" < "$scratch/payload" > "$scratch/out" &
  child=$!
  until=
  while kill -0 "$child" 2> /dev/null; do
    if [ -n "$stopping" ] && [ -z "$until" ]; then until=$((SECONDS + grace)); fi
    if [ -e "$scratch/lost" ] || { [ -n "$until" ] && [ "$SECONDS" -ge "$until" ]; }; then
      kill "$child" 2> /dev/null
      break
    fi
    sleep 0.1
  done
  wait "$child"
  code=$?
  kill "$renewer" 2> /dev/null
  wait "$renewer" 2> /dev/null
  if [ -e "$scratch/lost" ]; then
    echo "lost the lease of $job" >&2
  elif [ -n "$until" ] && [ "$SECONDS" -ge "$until" ] && [ "$code" -ne 0 ]; then
    end "$path" release "{\"lease_no\":$number}"
  elif [ "$code" -eq 0 ]; then
    # Whatever the command printed, line by line, is what the job yielded.
    end "$path" complete "{\"lease_no\":$number,\"yield\":$(wc -l < "$scratch/out" | tr -d ' ')}"
  else
    end "$path" fail "{\"lease_no\":$number,\"detail\":\"exit_$code\"}"
  fi
}

command=("$@")
pause=1
while [ -z "$stopping" ]; do
  status=$(post /v1/jobs/lease "{\"worker\":\"$worker\",$serves,\"wait_seconds\":2}" \
    "$scratch/leased")
  case $status in
    200)
      pause=1
      if [ -n "$(field "$scratch/leased" job)" ]; then handle; fi ;;
    000 | 429 | 503)
      sleep "$pause"
      pause=$((pause < 10 ? pause * 2 : 10)) ;;
    *)
      echo "refused with $status: $(cat "$scratch/leased")" >&2
      exit 1 ;;
  esac
done
