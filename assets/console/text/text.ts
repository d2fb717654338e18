/** The language of the console: the one that was chosen, or the first of the browser that there is. */
import { storedChoice } from '../portal.ts'
import type { ConsoleText } from './en.ts'

interface LanguageEntry {
  /** What it calls itself. */
  name: string
  /** How it writes dates and numbers, if its code alone says something else. */
  locale?: string
  load: () => Promise<ConsoleText>
}

/** A visitor loads the texts of one. */
const dictionaries = {
  en: { name: 'English', locale: 'en-GB', load: async () => (await import('./en.ts')).english },
  de: { name: 'Deutsch', load: async () => (await import('./de.ts')).german },
  fr: { name: 'Français', load: async () => (await import('./fr.ts')).french },
} as const satisfies Readonly<Record<string, LanguageEntry>>

/** The service names languages alike. */
export type LanguageCode = keyof typeof dictionaries

/** What each language calls itself. */
export const languages = Object.entries(dictionaries).map(([code, { name }]) => [code, name] as const)

const key = 'tenantry.language'
export const languageCode: LanguageCode = chosen()
const entry: LanguageEntry = dictionaries[languageCode]

/** As in `Intl`: dates and numbers follow the console, not the browser. */
export const language = entry.locale ?? languageCode
export const numbers = new Intl.NumberFormat(language)
/** What all dictionaries need loads beside the one, not after it. */
export const [text] = await Promise.all([entry.load(), import('../../../src/core/language/plural.ts')])

function isLanguage(name: string | null): name is LanguageCode {
  return name !== null && Object.hasOwn(dictionaries, name)
}

function chosen(): LanguageCode {
  const stored = storedChoice(key)
  if (isLanguage(stored)) return stored
  return navigator.languages.map((each) => each.slice(0, 2)).find(isLanguage) ?? 'en'
}

/** Loads the page again, because texts are read while modules load. */
export function chooseLanguage(name: string): void {
  localStorage.setItem(key, name)
  location.reload()
}
