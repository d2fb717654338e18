/** The heights of rows in tables that a user can choose. */
export const densities = ['compact', 'normal', 'comfortable'] as const
export type Density = (typeof densities)[number]

/** @returns `null` for any other value */
export function densityIn(value: unknown): Density | null {
  return densities.find((each) => each === value) ?? null
}
