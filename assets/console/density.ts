/** The height of rows that the user has chosen. The service stores it, so that it is the same in every browser. */
import { useEffect } from 'preact/hooks'
import { type Density, densityIn } from './densities.ts'
import type { EntityDescription } from './describe.ts'
import { usePreference } from './preference.ts'
import { applyDensity, density } from './theme.ts'

/** @returns the height for a list: that in its address, or the user's, or that of the entity's definition */
export function densityOf(
  { console: hints }: EntityDescription,
  query: URLSearchParams,
  own: Density | null,
): Density | null {
  return densityIn(query.get('density')) ?? own ?? hints?.list?.density ?? null
}

/** @returns the height, `null` before the user has chosen one, and a function that chooses another */
export function useDensity(userId: string): [Density | null, (chosen: Density) => void] {
  const [stored, store] = usePreference(userId, 'density')
  const chosen = densityIn(stored)
  useEffect(() => {
    if (chosen !== null && chosen !== density()) applyDensity(chosen)
  }, [chosen])
  return [
    chosen ?? density(),
    (next) => {
      applyDensity(next)
      store(next)
    },
  ]
}
