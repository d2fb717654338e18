import { storedChoice } from './portal.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'tenantry.theme'

export function theme(): Theme {
  const stored = storedChoice(key)
  return themes.find((each) => each === stored) ?? 'system'
}

export function chooseTheme(chosen: Theme): void {
  localStorage.setItem(key, chosen)
  applyTheme()
}

export function applyTheme(): void {
  const chosen = theme()
  if (chosen === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = chosen
}
