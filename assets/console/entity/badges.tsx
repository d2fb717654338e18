/** The badges of a row, which its entity's definition declares. */
import { capital, type EntityDescription, type Row, type Tone, wordOf } from '../describe.ts'
import { meets } from './condition.ts'
import { toneOf } from './tone.ts'

interface BadgesProps {
  entity: EntityDescription
  row: Row
  /** Whether badges of fields are shown as well. A list shows those fields in columns. */
  hasWords?: boolean
}

export function Badges({ entity, row, hasWords = false }: BadgesProps) {
  return (
    <>
      {badgesOf(entity, row, hasWords).map(({ name, words, tone }) => (
        <span key={name} class={`badge ${tone}`}>
          {words}
        </span>
      ))}
    </>
  )
}

interface ShownBadge {
  name: string
  words: string
  tone: Tone
}

/** @returns the declared badges; without any, the status field that only the service changes */
function badgesOf(entity: EntityDescription, row: Row, hasWords: boolean): ShownBadge[] {
  const { badges } = entity.console ?? {}
  const ofField = (name: string): ShownBadge[] => {
    const field = entity.fields.find((each) => each.name === name)
    const value = row[name] ?? null
    if (!hasWords || field === undefined || value === null) return []
    return [{ name, words: wordOf(field, value), tone: toneOf(entity, field, value) }]
  }
  if (badges === undefined) {
    const state = entity.fields.find(({ kind, isReadOnly }) => kind === 'enum' && isReadOnly)
    return state === undefined ? [] : ofField(state.name)
  }
  return badges.flatMap(({ name, tones, if: condition, text: words, tone = 'neutral' }) => {
    if (tones !== undefined) return ofField(name)
    if (condition === undefined || !meets(row, condition, new Date())) return []
    return [{ name, words: words ?? capital(name), tone }]
  })
}
