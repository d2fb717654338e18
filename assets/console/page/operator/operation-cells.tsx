/** How far an operation is, and what it has made. */
import { numbers, text } from '../../text/text.ts'
import { type Operation, phases } from './operation.ts'

const texts = text.operator.operations

export function Phase({ operation: { kind, phase, progress, finishedAt } }: { operation: Operation }) {
  if (phase === null) return <>{text.state.none}</>
  const name = texts.phases[phase] ?? phase
  const place = phases[kind].indexOf(phase) + 1
  if (finishedAt !== null || place === 0) return <>{name}</>
  if (phase === phases.move[0] && progress !== null) {
    const { copiedRows, totalRows } = progress
    const rows = texts.rowsOf(numbers.format(copiedRows), numbers.format(totalRows))
    return (
      <span class="wrap">
        <progress value={copiedRows} max={Math.max(totalRows, 1)} aria-label={rows} /> {rows}
      </span>
    )
  }
  const most = phases[kind].length
  return (
    <span class="wrap">
      <progress value={place - 0.5} max={most} aria-label={texts.phaseOf(place, most)} /> {name}
    </span>
  )
}

export function Result({ operation: { result, error, host } }: { operation: Operation }) {
  const { path, rows, notIncluded, database, left = null } = result ?? {}
  const erased = typeof rows === 'object' ? Object.values(rows).reduce((sum, count) => sum + count, 0) : null
  const { databaseKinds } = text.administration.tenants
  return (
    <span class="wrap">
      {error !== null && <span class="fault">{error} </span>}
      {path !== undefined && (
        <>
          <code>{path}</code> {host !== null && texts.onHost(host)}{' '}
        </>
      )}
      {erased !== null && texts.rowsErased(erased)}
      {database !== undefined && texts.movedTo(databaseKinds[database] ?? database)}
      {left !== null && (
        <div class="soft">
          {texts.leftIn} <code>{left}</code>
        </div>
      )}
      {notIncluded?.map(({ tenant, reason }) => (
        <div key={`${tenant} ${reason}`} class="soft">
          {texts.notIncluded(tenant === null ? reason : `${tenant}, ${reason}`)}
        </div>
      ))}
    </span>
  )
}
