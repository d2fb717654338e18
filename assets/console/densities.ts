/** How high the rows of a table are. */
export const densities = ['compact', 'normal', 'comfortable'] as const
export type Density = (typeof densities)[number]

/** @returns `null` for what is none */
export function densityIn(value: unknown): Density | null {
  return densities.find((each) => each === value) ?? null
}
