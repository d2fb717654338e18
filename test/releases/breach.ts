/** What a contract has lost, or demands in addition, since a release. */

export interface Breach {
  /** As in the text of the release, or, with an exclamation mark, as in that of now. */
  line: string
  message: string
}

/**
 * @param released the text of the last release @param current the same of now, as `contractText`
 * @returns what is missing, and what is demanded in addition of what was released
 */
export function breachesOf(released: string, current: string): Breach[] {
  const [before, after] = [linesOf(released), linesOf(current)]
  const [had, has] = [new Set(before), new Set(after)]
  const missing = before.filter((line) => !isDemand(line) && !has.has(line) && !isWidened(line, after))
  const added = after.filter((line) => isDemand(line) && !had.has(line))
  const isNew = (line: string) =>
    before.some((each) => each.startsWith(subjectOf(line))) && !isLoosened(line, before)
  return [
    ...missing.map((line) => ({ line, message: `missing: ${line}` })),
    ...added.filter(isNew).map((line) => ({ line, message: `new demand: ${demandOf(line)}` })),
  ]
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

function isDemand(line: string): boolean {
  return line.startsWith('! ')
}

/** Whether an input has further types beside those that it had. */
function isWidened(line: string, after: readonly string[]): boolean {
  const place = line.indexOf(accepts)
  if (place === -1) return false
  const subject = line.slice(0, place + accepts.length)
  const types = line.slice(subject.length).split(' | ')
  return after.some((each) => {
    const present = each.startsWith(subject) ? each.slice(subject.length).split(' | ') : []
    return types.every((type) => present.includes(type))
  })
}

const accepts = ' accepts '

function subjectOf(demand: string): string {
  return demand.slice(2, demand.indexOf(' | '))
}

function demandOf(line: string): string {
  return line.slice(line.indexOf(' | ') + 3)
}

/** Whether a limit was narrower: an upper one smaller, or a lower one larger. */
function isLoosened(line: string, before: readonly string[]): boolean {
  const place = line.lastIndexOf(' ') + 1
  const limit = line.slice(0, place)
  const former = before.find((each) => each.startsWith(limit))?.slice(place)
  if (former === undefined) return false
  const growth = Number(line.slice(place)) - Number(former)
  return / max\w+ $/.test(limit) ? growth > 0 : / min\w+ $/.test(limit) && growth < 0
}
