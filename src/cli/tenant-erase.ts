/** `tenantry tenant delete`: erases a deactivated tenant. */
import { type ErasePhase, type Erasure, eraseTenant } from '../operations/erase/erase.ts'
import { phasePrinter, print, type Run, UsageError } from './command.ts'
import { withOperator } from './with-operator.ts'

const phaseTexts: Record<ErasePhase, string | null> = {
  recorded: 'Erasing. This is irreversible. After an interruption, run the command again.',
  fenced: 'Writes of the tenant are refused.',
  counted: null,
  removed: 'Rows are removed. Rewriting files; writes to them wait.',
  rewritten: null,
  unfenced: null,
}

export const erase: Run = async (config, { argument, flags }, service, { output }) => {
  if (!flags.has('erase'))
    throw new UsageError(
      '--erase is required, because the erasure is irreversible; tenant deactivate keeps all data.',
    )
  return withOperator(config, service, async ({ context }) => {
    const erasure = await eraseTenant(context, argument, { reached: phasePrinter(output, phaseTexts) })
    for (const line of describe(erasure)) print(output, line)
    print(output, `Tenant ${argument} is erased.`)
    print(
      output,
      'Not erased: backups, exported archives, logs, and data that receivers of webhooks have stored.',
    )
  })
}

function describe({ rows, deleted, emptied, left }: Erasure): string[] {
  const counts = Object.entries(rows).map(([table, count]) => `${table} ${count}`)
  return [
    `Rows removed: ${counts.length === 0 ? 'none' : counts.join(', ')}.`,
    ...deleted.map((file) => `Deleted: ${file}.`),
    ...emptied.map((name) => `${name} is empty now, and is not dropped.`),
    ...left,
  ]
}
