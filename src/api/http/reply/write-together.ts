/**
 * Writes the short replies of a turn of the event loop one after the other. The system wakes the client, or the proxy,
 * for a reply that it waits for, which takes as long as the write. It is awake for the replies that follow at once.
 */

/** Spares most of the waking, and keeps the first reply for less than a millisecond of short requests. */
const maxWaiting = 16

let waiting: (() => void)[] = []
let repliesOfTurn = 0
/** Whether the turn before this one had a single reply, as those of a client that is alone have. */
let followsSingle = false

/** @param write called at once, or by the end of this turn, in the order of the calls; it throws nothing */
export function writeTogether(write: () => void): void {
  const isFirst = repliesOfTurn++ === 0
  if (isFirst) setImmediate(endTurn)
  if (isFirst && followsSingle) write()
  else waiting.push(write)
  if (waiting.length === maxWaiting) writeAll()
}

function endTurn(): void {
  followsSingle = repliesOfTurn === 1
  repliesOfTurn = 0
  writeAll()
}

function writeAll(): void {
  const writes = waiting
  waiting = []
  for (const write of writes) write()
}
