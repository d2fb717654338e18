/** What a row is, in which state, and what can be done with it. */
import type { ComponentChildren } from 'preact'
import { useApp } from '../app-context.ts'
import { MomentInWords } from '../component/moment-in-words.tsx'
import { capital, type EntityDescription, type Row, type Tone, titleOf, wordOf } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { text } from '../text/text.ts'
import { meets } from './condition.ts'
import { EntityTile } from './entity-tile.tsx'
import { subtitleOf } from './subtitle.ts'
import { toneOf } from './tone.ts'

interface HeadProps {
  entity: EntityDescription
  row: Row
  children: ComponentChildren
}

export function RecordHead({ entity, row, children }: HeadProps) {
  const { entities } = useApp()
  const { updatedAt } = row
  const { data: subtitle } = useLoaded(`subtitle/${entity.name}/${row.id}/${String(updatedAt)}`, () =>
    subtitleOf(entity, row, entities),
  )
  return (
    <div class="page-head record-head">
      <EntityTile entity={entity} size="large" />
      <div class="titles">
        <div class="row">
          <h1>{titleOf(entity, row)}</h1>
          {badgesOf(entity, row).map(({ name, words, tone }) => (
            <span key={name} class={`badge ${tone}`}>
              {words}
            </span>
          ))}
        </div>
        <p class="soft">
          {subtitle !== null && subtitle !== '' ? subtitle : capital(entity.label)}
          {typeof updatedAt === 'string' && (
            <>
              {' · '}
              {text.record.updated} <MomentInWords value={updatedAt} />
            </>
          )}
        </p>
      </div>
      <div class="end">{children}</div>
    </div>
  )
}

interface ShownBadge {
  name: string
  words: string
  tone: Tone
}

/** Of the definition; without any, the state that the service keeps. */
function badgesOf(entity: EntityDescription, row: Row): ShownBadge[] {
  const { badges } = entity.console ?? {}
  const ofField = (name: string): ShownBadge[] => {
    const field = entity.fields.find((each) => each.name === name)
    const value = row[name] ?? null
    if (field === undefined || value === null) return []
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
