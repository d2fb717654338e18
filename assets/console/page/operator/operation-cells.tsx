/** Cells of the table of operations: the progress and the result. */
import { Badge, statusTone } from '../../component/status-badge.tsx'
import { numbers, text } from '../../text/text.ts'
import { type Operation, phases } from './operation.ts'

const texts = text.operator.operations

/** The status, with the phase if the operation has not finished all of them. */
export function State({ operation }: { operation: Operation }) {
  const { status, phase } = operation
  return (
    <span class="names">
      <Badge tone={statusTone(status)}>{texts.states[status]}</Badge>
      {phase !== null && status !== 'DONE' && <Phase operation={operation} phase={phase} />}
    </span>
  )
}

function Phase({ operation, phase }: { operation: Operation; phase: string }) {
  const { kind, progress, finishedAt } = operation
  const place = phases[kind].indexOf(phase) + 1
  const phaseCount = phases[kind].length
  const copied = phase === phases.move[0] ? progress : null
  const rows = copied && texts.rowsOf(numbers.format(copied.copiedRows), numbers.format(copied.totalRows))
  return (
    <>
      {finishedAt === null && place > 0 && (
        <progress
          value={copied?.copiedRows ?? place - 0.5}
          max={copied === null ? phaseCount : copied.totalRows || 1}
          aria-label={rows ?? texts.phaseOf(place, phaseCount)}
        />
      )}
      <span class="soft">{rows ?? texts.phases[phase] ?? phase}</span>
    </>
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
