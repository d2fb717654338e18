/**
 * Writes the short replies of a turn of the event loop one after the other. The system wakes the client, or the proxy,
 * for a reply that it waits for, which takes as long as the write. It is awake for the replies that follow at once.
 */

/** Spares most of the waking, and keeps the first reply for less than a millisecond of short requests. */
const maxWaiting = 16

let waiting: (() => void)[] = []

/** @param write called at the end of this turn, or sooner, in the order of the calls; it throws nothing */
export function writeTogether(write: () => void): void {
  waiting.push(write)
  if (waiting.length === maxWaiting) writeAll()
  else if (waiting.length === 1) setImmediate(writeAll)
}

function writeAll(): void {
  const writes = waiting
  waiting = []
  for (const write of writes) write()
}
