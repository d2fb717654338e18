/** One instance that serves tenants of many databases with a bounded number of connections. */
import { Random } from './random.ts'

export interface Serving {
  databases: number
  /** Connections of the instance to all of them together. */
  most: number
  requestsPerSecond: number
  requests: number
}

/** A request holds its connection for so long, on the mean. */
const heldMs = 3
/** As measured on loopback: TCP, TLS left out, SCRAM. */
export const openMs = 10

export interface Served {
  /** Of the requests, those that had to wait for a connection to be opened. */
  opened: number
  /** Of the requests, those that found every connection in use. */
  waited: number
}

/** The idle connection that was used least recently is closed for a database that has none, as the service does. */
export function serve({ databases, most, requestsPerSecond, requests }: Serving): Served {
  const random = new Random(most)
  const inUse: { untilMs: number; database: number }[] = []
  const idle: number[] = [] // databases, the least recently used first
  let [nowMs, opened, waited] = [0, 0, 0]
  const giveBack = (): void => {
    inUse.sort((one, other) => one.untilMs - other.untilMs)
    while (inUse[0] !== undefined && inUse[0].untilMs <= nowMs) idle.push(inUse.shift()?.database ?? 0)
  }
  for (let request = 0; request < requests; request++) {
    nowMs += random.exponential(1000 / requestsPerSecond)
    giveBack()
    if (inUse.length === most) {
      waited++
      nowMs = Math.max(nowMs, inUse[0]?.untilMs ?? nowMs)
      giveBack()
    }
    const database = random.below(databases)
    const known = idle.lastIndexOf(database)
    if (known >= 0) idle.splice(known, 1)
    else {
      opened++
      if (inUse.length + idle.length === most) idle.shift()
    }
    const untilMs = nowMs + random.exponential(heldMs) + (known >= 0 ? 0 : openMs)
    inUse.push({ untilMs, database })
  }
  return { opened: opened / requests, waited: waited / requests }
}
