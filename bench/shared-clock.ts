/** @returns milliseconds of a clock that all threads share */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
