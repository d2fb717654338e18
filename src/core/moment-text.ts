let lastMs = Number.NaN
let lastText = ''

/**
 * @returns the text of `toISOString`, which is made once for all calls in one millisecond @throws RangeError likewise
 */
export function momentText(moment: Date): string {
  const ms = moment.getTime()
  if (ms !== lastMs) {
    lastText = moment.toISOString()
    lastMs = ms
  }
  return lastText
}
