/** The look that the user has chosen in this browser: light or dark, and the height of rows. */
import { type Density, densityIn } from './densities.ts'
import { storedChoice } from './portal.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const themeKey = 'tenantry.theme'
const densityKey = 'tenantry.density'

export function theme(): Theme {
  const stored = storedChoice(themeKey)
  return themes.find((each) => each === stored) ?? 'system'
}

/** @returns `null` before the user has chosen one */
export function density(): Density | null {
  return densityIn(storedChoice(densityKey))
}

export function chooseTheme(chosen: Theme): void {
  localStorage.setItem(themeKey, chosen)
  applyTheme()
}

export function applyDensity(chosen: Density): void {
  localStorage.setItem(densityKey, chosen)
  applyTheme()
}

export function applyTheme(): void {
  const { dataset } = document.documentElement
  const chosen = theme()
  if (chosen === 'system') delete dataset['theme']
  else dataset['theme'] = chosen
  dataset['density'] = density() ?? 'normal'
}
