#!/usr/bin/env node
// Calls a destination itself, within its Penstock budget. Node 18 or later, no dependencies.
//
//   PENSTOCK_API_KEY=ps_... node worker.mjs --destination dst_9f31c \
//     --target http://127.0.0.1:9000/ --requests 20
//
// Each request needs a permit. After the request the worker says how it ended, so that the budget
// learns: a 429 halves the rate for everybody who shares it, and a 2xx lets it grow again.

import { parseArgs } from "node:util";

const HINTS = [
  "retry-after", "ratelimit", "ratelimit-remaining", "ratelimit-reset",
  "x-ratelimit-remaining", "x-ratelimit-reset", "date",
];

const { values: options } = parseArgs({
  options: {
    url: { type: "string", default: process.env.PENSTOCK_URL ?? "http://127.0.0.1:8420" },
    destination: { type: "string" },
    target: { type: "string" },
    requests: { type: "string", default: "20" },
    timeout: { type: "string", default: "10" },
  },
});
const key = process.env.PENSTOCK_API_KEY;
if (!key || !options.destination || !options.target) {
  console.error("wanted PENSTOCK_API_KEY (scope worker), --destination ID and --target URL");
  process.exit(2);
}
const wanted = Number(options.requests);

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

async function penstock(path, body) {
  const answer = await fetch(options.url.replace(/\/$/, "") + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  return { status: answer.status, body: await answer.json() };
}

/** Up to count permits and how long to spread them over; waits until there are some. */
async function take(count) {
  for (;;) {
    const path = `/v1/destinations/${encodeURIComponent(options.destination)}/permits`;
    const { status, body } = await penstock(path, { count });
    if (status === 200) {
      return body;
    }
    if (status !== 429 && status !== 503) {
      // Paused, held, disabled: somebody must act.
      console.error(`no permits (${body.code}): ${body.detail}`);
      process.exit(1);
    }
    await sleep(body.retry_after_ms ?? 1000);
  }
}

/** The word for a request that got no answer. */
function failure(error) {
  if (error.name === "TimeoutError") {
    return "timed_out";
  }
  switch (error.cause?.code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "dns_failed";
    case "ECONNRESET":
    case "UND_ERR_SOCKET":
      return "reset";
    default:
      return "connect_failed";
  }
}

/** One request to the destination, as the report that Penstock wants. */
async function attempt(number) {
  const began = performance.now();
  const report = {};
  try {
    const answer = await fetch(options.target, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ n: number }),
      redirect: "manual",
      signal: AbortSignal.timeout(Number(options.timeout) * 1000),
    });
    await answer.arrayBuffer();
    report.status = answer.status;
    report.headers = {};
    for (const name of HINTS) {
      if (answer.headers.has(name)) {
        report.headers[name] = answer.headers.get(name);
      }
    }
  } catch (error) {
    report.failure = failure(error);
  }
  report.duration_ms = Math.round(performance.now() - began);
  return report;
}

let done = 0;
let sent = 0;
while (done < wanted) {
  const { permits, pace_ms: pace } = await take(Math.min(10, wanted - done));
  for (const permit of permits) {
    const report = await attempt(sent++);
    const { status, body } = await penstock(`/v1/permits/${permit.id}/feedback`, report);
    if (status !== 200 || !body.applied) {
      console.error(`feedback of ${permit.id}: ${body.detail}`);
    }
    if (report.status >= 200 && report.status < 300) {
      done++;
    }
    await sleep(pace / permits.length);
  }
}
console.log(`${done} done with ${sent} requests`);
