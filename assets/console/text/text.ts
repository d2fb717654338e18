/** The language of the console: the one that was chosen, or the first of the browser that there is. */
import { storedChoice } from '../portal.ts'
import { type ConsoleText, english } from './en.ts'
import { french } from './fr.ts'

export const languages = { en: 'English', fr: 'Français' } as const
export type Language = keyof typeof languages

const key = 'tenantry.language'
const texts: Record<Language, ConsoleText> = { en: english, fr: french }

export const language: Language = chosen()
export const text: ConsoleText = texts[language]

function isLanguage(name: string | null): name is Language {
  return name !== null && Object.hasOwn(texts, name)
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
