/** Shows the value of a field as people read it. */
import { DayInWords, MomentInWords } from '../component/moment-in-words.tsx'
import { type EntityDescription, type FieldDescription, wordOf } from '../describe.ts'
import { text } from '../text/text.ts'
import { FileCard, type StoredFile } from './file.tsx'
import { Markdown } from './markdown-input.tsx'
import { covered, plainText } from './plain-text.ts'
import { ReferenceLink } from './reference-link.tsx'
import { toneOf } from './tone.ts'
import { UserName } from './user-reference.tsx'

export function isNumber({ kind }: FieldDescription): boolean {
  return kind === 'integer' || kind === 'money' || kind === 'sequence'
}

interface ValueProps {
  field: FieldDescription
  value: unknown
  /** The entity with the field, which may define the colours of its words. */
  entity?: EntityDescription
  /** The stored file, if the row contains it. */
  file?: unknown
}

export function Value({ field, value, entity, file }: ValueProps) {
  if (value === null || value === undefined || value === '')
    return <span class="soft">{text.state.none}</span>
  switch (field.kind) {
    case 'date':
      return <DayInWords value={String(value)} />
    case 'timestamp':
      return <MomentInWords value={String(value)} />
    case 'enum':
      return (
        <span class={`badge ${entity === undefined ? '' : toneOf(entity, field, value)}`}>
          {wordOf(field, value)}
        </span>
      )
    case 'reference':
      if (field.entity === 'file')
        return <FileCard key={String(value)} id={String(value)} known={(file ?? null) as StoredFile | null} /> // of a row
      if (field.entity === 'user') return <UserName id={String(value)} />
      return <ReferenceLink field={field} id={String(value)} />
    case 'json':
      return <JsonValue value={value} />
    case 'text':
      return <TextValue field={field} value={String(value)} />
    default:
      return <>{plainText(field, value)}</>
  }
}

function JsonValue({ value }: { value: unknown }) {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return (
      <span class="row">
        {value.map((each, index) => (
          <span key={index} class="tag">
            {each}
          </span>
        ))}
      </span>
    )
  return <pre>{JSON.stringify(value, null, 2)}</pre>
}

const address = /^https?:\/\/[^\s]+$/i
const mailbox = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** A text that is a web address as a whole becomes a link. Markup in a text is not interpreted. */
function TextValue({ field, value }: { field: FieldDescription; value: string }) {
  const kind = field.widget?.kind
  if (kind === 'markdown') return <Markdown source={value} />
  if (kind === 'phone') return <a href={`tel:${value}`}>{value}</a>
  if (kind === 'secret') return <>{covered}</>
  if (kind === 'code') return <pre>{value}</pre>
  if (kind === 'color')
    return (
      <span class="row">
        <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
          <path d="M0 0h1v1H0z" fill={value} />
        </svg>
        {value}
      </span>
    )
  if ((kind === 'url' || kind === undefined) && address.test(value))
    return (
      <a href={value} target="_blank" rel="noreferrer">
        {value}
      </a>
    )
  if (kind === 'email' || (kind === undefined && field.name === 'email' && mailbox.test(value)))
    return <a href={`mailto:${value}`}>{value}</a>
  return <>{value}</>
}
