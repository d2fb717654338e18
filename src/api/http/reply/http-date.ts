/** Dates of HTTP headers (RFC 9110, section 5.6.7). */

/** The last day is kept as text, because consecutive rows mostly have changed on the same day. */
let lastDay = ''
let lastDayText = ''

/** @param moment as rows have it: UTC, with milliseconds @returns `Sun, 06 Nov 1994 08:49:37 GMT` */
export function httpDate(moment: string): string {
  const day = moment.slice(0, 10)
  if (day !== lastDay) {
    lastDayText = new Date(moment).toUTCString().slice(0, -'hh:mm:ss GMT'.length)
    lastDay = day
  }
  return `${lastDayText}${moment.slice(11, 19)} GMT`
}
