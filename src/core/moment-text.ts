let lastMs = Number.NaN
let lastText = ''

/** As `toISOString`, whose text is made once for all that happens in the same millisecond. @throws RangeError likewise */
export function momentText(moment: Date): string {
  const ms = moment.getTime()
  if (ms !== lastMs) {
    lastText = moment.toISOString()
    lastMs = ms
  }
  return lastText
}
