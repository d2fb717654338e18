/** Shows how a file will be read before its rows are created: encoding, separator, first rows, and columns left out. */
import { RowsTable } from '../../component/data-table.tsx'
import { Field } from '../../component/field.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { type EntityDescription, labelOf } from '../../describe.ts'
import { text } from '../../text/text.ts'
import { Check } from './check.tsx'
import { type Encoding, encodings } from './decode.ts'
import type { ChosenMembers } from './mapping.ts'
import { type Prepared, writable } from './prepare.ts'
import { separators } from './read-csv.ts'
import { Refusals, refusalOf } from './refusals.tsx'
import { type Source, withEncoding } from './source.ts'

const { importer } = text
const previewRows = 5

const encodingNames: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (LE)',
  'utf-16be': 'UTF-16 (BE)',
  'windows-1252': 'Windows-1252',
}

interface PreviewProps {
  entity: EntityDescription
  source: Source
  /** `null` if the file cannot be read with this encoding and separator. */
  prepared: Prepared | null
  isBusy: boolean
  onChange: (source: Source) => void
  onAccept: (prepared: Prepared) => void
}

export function Preview({ entity, source, prepared, isBusy, onChange, onAccept }: PreviewProps) {
  return (
    <>
      <div class="row">
        <Choice
          label={importer.encoding}
          value={source.encoding}
          options={encodings.map((each) => [each, encodingNames[each]])}
          onChange={(encoding) => onChange(withEncoding(entity, source, encoding))}
        />
        {source.separator !== null && (
          <Choice
            label={importer.separator}
            value={source.separator}
            options={separators.map((each) => [each, importer.separators[each]])}
            onChange={(separator) => onChange({ ...source, separator, chosen: {} })}
          />
        )}
      </div>
      {prepared === null ? (
        <ErrorNotice error={new Error(importer.unreadable)} />
      ) : (
        <>
          <LeftOut prepared={prepared} />
          <Mapping
            entity={entity}
            prepared={prepared}
            chosen={source.chosen}
            onChange={(chosen) => onChange({ ...source, chosen })}
          />
          <FirstRows rows={prepared.rows} entity={entity} />
          {prepared.refused.length > 0 && <p>{importer.refused(prepared.refused.length)}</p>}
          <Refusals
            columns={prepared.columns}
            refused={prepared.refused.map(refusalOf)}
            separator={source.separator ?? ','}
            name={`${entity.plural}-refused.csv`}
          />
          {prepared.rows.length > 0 && (
            <Check
              entity={entity}
              prepared={prepared}
              separator={source.separator ?? ','}
              isBusy={isBusy}
              onAccept={onAccept}
            />
          )}
        </>
      )}
    </>
  )
}

function LeftOut({ prepared: { unknown, readOnly, repeated } }: { prepared: Prepared }) {
  return (
    <>
      {repeated.length > 0 && <ErrorNotice error={new Error(importer.repeated(repeated.join(', ')))} />}
      {unknown.length > 0 && <p class="notice warn">{importer.unknown(unknown.join(', '))}</p>}
      {readOnly.length > 0 && <p class="soft">{importer.readOnly(readOnly.join(', '))}</p>}
    </>
  )
}

function FirstRows({ rows, entity }: Pick<Prepared, 'rows'> & { entity: EntityDescription }) {
  if (rows.length === 0) return <p>{importer.noRows}</p>
  const first = rows.slice(0, previewRows)
  const names = [...new Set(first.flatMap(({ values }) => Object.keys(values)))]
  const columns = names.map((name) => {
    const field = entity.fields.find((each) => each.name === name)
    return {
      label: field === undefined ? name : labelOf(field),
      show: ({ values }: (typeof first)[number]) => shownAs(values[name]),
    }
  })
  return (
    <>
      <p>{importer.rows(rows.length)}</p>
      <RowsTable
        label={importer.rows(rows.length)}
        columns={columns}
        rows={first}
        keyOf={({ line }) => String(line)}
      />
    </>
  )
}

/** @returns the value as it will be sent, as text */
function shownAs(value: unknown): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

interface MappingProps {
  entity: EntityDescription
  prepared: Prepared
  chosen: ChosenMembers
  onChange: (chosen: ChosenMembers) => void
}

/** The member for each column, which the user can change. A member can have only one column. */
function Mapping({ entity, prepared: { columns, members, repeated }, chosen, onChange }: MappingProps) {
  if (repeated.length > 0) return null
  const options = [...writable(entity).values()].map((field) => [field.name, labelOf(field)] as const)
  const choose = (column: string, member: string) => {
    const given = columns.filter((_, index) => member !== '' && members[index] === member)
    onChange({ ...chosen, ...Object.fromEntries(given.map((each) => [each, ''])), [column]: member })
  }
  return (
    <fieldset class="mapping">
      <legend>{importer.columns}</legend>
      {columns.map((column, index) => (
        <Choice
          key={column}
          label={column}
          value={members[index] ?? ''}
          options={[['', importer.leftOut], ...options]}
          onChange={(member) => choose(column, member)}
        />
      ))}
    </fieldset>
  )
}

interface ChoiceProps<V extends string> {
  label: string
  value: V
  options: readonly (readonly [value: V, name: string])[]
  onChange: (value: V) => void
}

function Choice<V extends string>({ label, value, options, onChange }: ChoiceProps<V>) {
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={({ currentTarget }) => {
            const chosen = options.find(([each]) => each === currentTarget.value)
            if (chosen !== undefined) onChange(chosen[0])
          }}
        >
          {options.map(([each, name]) => (
            <option key={each} value={each}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
