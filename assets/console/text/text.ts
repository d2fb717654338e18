/** The language of the console: the one that was chosen, or the first of the browser that there is. */
import { storedChoice } from '../portal.ts'
import type { ConsoleText } from './en.ts'

export const languages = { en: 'English', fr: 'Français' } as const
export type Language = keyof typeof languages

const key = 'tenantry.language'
/** A visitor loads the texts of one language. */
const dictionaries: Readonly<Record<Language, () => Promise<ConsoleText>>> = {
  en: async () => (await import('./en.ts')).english,
  fr: async () => (await import('./fr.ts')).french,
}

export const language: Language = chosen()
export const text: ConsoleText = await dictionaries[language]()

function isLanguage(name: string | null): name is Language {
  return name !== null && Object.hasOwn(dictionaries, name)
}

function chosen(): Language {
  const stored = storedChoice(key)
  if (isLanguage(stored)) return stored
  return navigator.languages.map((each) => each.slice(0, 2)).find(isLanguage) ?? 'en'
}

/** Loads the page again, because texts are read while modules load. */
export function chooseLanguage(name: string): void {
  localStorage.setItem(key, name)
  location.reload()
}
