#!/usr/bin/env python3
"""A worker for Penstock's tubes, to copy and change. Needs Python 3.8 and nothing else.

It leases one job at a time, renews the lease in the background while it works, and ends the job:
complete, fail, or release when it was told to stop. On SIGTERM or Ctrl-C it stops asking, finishes
what it has within GRACE seconds, and hands the rest back. When a lease is lost it stops working on
that job: somebody else has it.

  PENSTOCK_API_KEY=ps_...  PENSTOCK_TUBES=crawl,sync  python3 worker.py
  PENSTOCK_API_KEY=ps_...  PENSTOCK_POOL=scrapers     python3 worker.py
"""

import json
import os
import random
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

URL = os.environ.get("PENSTOCK_URL", "http://127.0.0.1:8420")
KEY = os.environ.get("PENSTOCK_API_KEY", "")
POOL = os.environ.get("PENSTOCK_POOL", "")
TUBES = [t for t in os.environ.get("PENSTOCK_TUBES", "").split(",") if t]
GRACE = float(os.environ.get("PENSTOCK_GRACE", "20"))
COMMAND = os.environ.get("PENSTOCK_COMMAND", "")
# Names are for people; leases go by their numbers.
WORKER = "%s-%d-%04x" % (socket.gethostname()[:40], os.getpid(), random.getrandbits(16))

stopping = threading.Event()


def work(job, over):
    """Does one job. Change this. Returns what to say at the end: yield, no_op, artifacts, result.

    Look at over.is_set() now and then in long work: then stop, the lease is lost or handed back.
    Raise Failed to say that it failed.
    """
    if not COMMAND:
        print("job", job["job"], "of", job["tube"], json.dumps(job.get("payload")), flush=True)
        return {"yield": 1}
    process = subprocess.Popen(COMMAND, shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    payload = json.dumps(job.get("payload")).encode()

    def end_when_over():
        while process.poll() is None:
            if over.wait(0.1):
                process.terminate()
                return

    threading.Thread(target=end_when_over, daemon=True).start()
    out, _ = process.communicate(payload)
    if process.returncode != 0:
        raise Failed("transient", "exit_%d" % abs(process.returncode))
    return {"yield": len(out.splitlines())}


class Failed(Exception):
    """A job that failed: transient, throttled, unknown, rejected or unauthorised."""

    def __init__(self, outcome, detail="worker_said_so", retry_after=None):
        super().__init__(detail)
        self.outcome = outcome
        self.detail = detail
        self.retry_after = retry_after


class LeaseLost(Exception):
    """Somebody else ended the lease."""


def call(path, body, timeout=40.0):
    """Posts JSON; the answer. Raises LeaseLost on 409 lease_lost, OSError when nobody answers."""
    request = urllib.request.Request(
        URL + path,
        json.dumps(body).encode(),
        {"Content-Type": "application/json", "Authorization": "Bearer " + KEY},
    )
    try:
        with urllib.request.urlopen(request, timeout=timeout) as response:
            return json.load(response)
    except urllib.error.HTTPError as refusal:
        text = refusal.read().decode("utf-8", "replace")
        if refusal.code == 409 and '"lease_lost"' in text:
            raise LeaseLost(text) from None
        if refusal.code in (429, 503):
            raise OSError(text) from None
        raise SystemExit("refused with %d: %s" % (refusal.code, text)) from None


def persistently(path, body, lost, seconds=60.0):
    """Calls until somebody answers: an end that is not booked is work done twice."""
    pause, until = 0.2, time.monotonic() + seconds
    while True:
        try:
            return call(path, body)
        except OSError:
            if time.monotonic() > until or lost.is_set():
                raise
            time.sleep(pause * random.uniform(0.5, 1))
            pause = min(5.0, pause * 2)


def renew(job, every, done, lost):
    """Renews until the job is done; tells when the lease is lost."""
    path = "/v1/tubes/%s/jobs/%s/renew" % (job["tube"], job["job"])
    while not done.wait(every):
        try:
            call(path, {"lease_no": job["lease_no"]}, timeout=every)
        except LeaseLost:
            lost.set()
            return
        except OSError:
            pass  # the next one may come through; a lease survives two lost calls


def handle(job, every):
    """One job from its lease to its end."""
    done, lost, over = threading.Event(), threading.Event(), threading.Event()
    threading.Thread(target=renew, args=(job, every, done, lost), daemon=True).start()
    path = "/v1/tubes/%s/jobs/%s/" % (job["tube"], job["job"])
    number = {"lease_no": job["lease_no"]}
    result = {}

    def run():
        try:
            result["end"] = ("complete", work(job, over) or {})
        except Failed as failed:
            end = {"outcome": failed.outcome, "detail": failed.detail}
            if failed.retry_after is not None:
                end["retry_after_seconds"] = failed.retry_after
            result["end"] = ("fail", end)
        except Exception as bug:  # whatever the work raises is a failure of this attempt
            result["end"] = ("fail", {"detail": "exception", "message": str(bug)[:500]})

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    until = None
    while thread.is_alive() and not lost.is_set():
        thread.join(0.1)
        if stopping.is_set() and until is None:
            until = time.monotonic() + GRACE
        if until is not None and time.monotonic() > until:
            break
    action, words = result.get("end", ("release", {}))
    over.set()
    thread.join(5)
    done.set()
    if lost.is_set():
        print("lost the lease of", job["job"], flush=True)
        return
    try:
        persistently(path + action, {**number, **words}, lost)
    except (LeaseLost, OSError) as why:
        print("could not", action, job["job"], why, flush=True)


def main():
    if not KEY or not (POOL or TUBES):
        raise SystemExit("wanted PENSTOCK_API_KEY, and PENSTOCK_POOL or PENSTOCK_TUBES")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    body = {"worker": WORKER, "most": 1, "wait_seconds": 2}
    body.update({"pool": POOL} if POOL else {"tubes": TUBES})
    pause = 0.2
    while not stopping.is_set():
        try:
            leased = call("/v1/jobs/lease", body)
            pause = 0.2
        except OSError:
            stopping.wait(pause * random.uniform(0.5, 1))
            pause = min(10.0, pause * 2)
            continue
        for job in leased["jobs"]:
            handle(job, leased["renew_every_seconds"])


if __name__ == "__main__":
    main()
