/** One line of the table. */
export interface Finding {
  row: string
  work: string
  figure: string
  /** `null`: for information. */
  target: string | null
  reached: boolean
  detail: string
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

export function range(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)]
}
