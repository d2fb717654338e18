let lastMs = Number.NaN
let lastText = ''

/**
 * @returns the text of `toISOString`. It is made once for all calls in one millisecond, because each request needs it.
 * @throws RangeError for an invalid date, like `toISOString`
 */
export function momentText(moment: Date): string {
  const ms = moment.getTime()
  if (ms !== lastMs) {
    lastText = moment.toISOString()
    lastMs = ms
  }
  return lastText
}
