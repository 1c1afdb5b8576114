#!/usr/bin/env python3
"""Calls a destination itself, within its Penstock budget. Python 3.9 or later, no dependencies.

    PENSTOCK_API_KEY=ps_... python3 worker.py --destination dst_9f31c \
        --target http://127.0.0.1:9000/ --requests 20

Each request needs a permit. After the request the worker says how it ended, so that the budget learns:
a 429 halves the rate for everybody who shares it, and a 2xx lets it grow again.
"""

import argparse
import http.client
import json
import os
import socket
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

HINTS = ("retry-after", "ratelimit", "ratelimit-remaining", "ratelimit-reset",
         "x-ratelimit-remaining", "x-ratelimit-reset", "date")


def call(method, url, body, headers, timeout):
    """One HTTP request: (status, headers, body). An answer of 400 or more is an answer too."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.headers, refused.read()


class Penstock:
    def __init__(self, url, key):
        self.url = url.rstrip("/")
        self.headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json"}

    def take(self, destination, count):
        """Up to count permits and how long to spread them over; waits until there are some."""
        path = "/v1/destinations/%s/permits" % urllib.parse.quote(destination, safe="")
        while True:
            status, _, body = call("POST", self.url + path, {"count": count}, self.headers, 30)
            answer = json.loads(body)
            if status == 200:
                return answer["permits"], answer["pace_ms"] / 1000
            if status not in (429, 503):  # paused, held, disabled: somebody must act
                sys.exit("no permits (%s): %s" % (answer["code"], answer["detail"]))
            time.sleep(answer.get("retry_after_ms", 1000) / 1000)

    def feedback(self, permit, report):
        path = "/v1/permits/%s/feedback" % permit["id"]
        status, _, body = call("POST", self.url + path, report, self.headers, 30)
        answer = json.loads(body)
        if status != 200 or not answer["applied"]:
            print("feedback of %s: %s" % (permit["id"], answer.get("detail")), file=sys.stderr)


def attempt(target, number, timeout):
    """One request to the destination, as the report that Penstock wants."""
    began = time.monotonic()
    report = {}
    try:
        status, headers, _ = call("POST", target, {"n": number},
                                  {"Content-Type": "application/json"}, timeout)
        report["status"] = status
        report["headers"] = {name: headers[name] for name in HINTS if name in headers}
    except (TimeoutError, socket.timeout):
        report["failure"] = "timed_out"
    except urllib.error.URLError as failed:
        reason = failed.reason
        if isinstance(reason, (TimeoutError, socket.timeout)):
            report["failure"] = "timed_out"
        else:
            dns = isinstance(reason, socket.gaierror)
            report["failure"] = "dns_failed" if dns else "connect_failed"
    except (ConnectionError, http.client.HTTPException):
        report["failure"] = "reset"
    report["duration_ms"] = int((time.monotonic() - began) * 1000)
    return report


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--url", default=os.environ.get("PENSTOCK_URL", "http://127.0.0.1:8420"))
    options.add_argument("--destination", required=True, help="whose budget to use")
    options.add_argument("--target", required=True, help="where to send the requests")
    options.add_argument("--requests", type=int, default=20, help="how many must get a 2xx")
    options.add_argument("--timeout", type=float, default=10, help="of one request, in seconds")
    chosen = options.parse_args()
    key = os.environ.get("PENSTOCK_API_KEY")
    if not key:
        sys.exit("set PENSTOCK_API_KEY to a key with the scope worker")
    penstock = Penstock(chosen.url, key)
    done = sent = 0
    while done < chosen.requests:
        permits, pace = penstock.take(chosen.destination, min(10, chosen.requests - done))
        for permit in permits:
            report = attempt(chosen.target, sent, chosen.timeout)
            penstock.feedback(permit, report)
            sent += 1
            done += 200 <= report.get("status", 0) < 300
            time.sleep(pace / len(permits))
    print("%d done with %d requests" % (done, sent))


if __name__ == "__main__":
    main()
