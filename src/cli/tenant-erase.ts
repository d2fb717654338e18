import { type ErasePhase, type Erasure, eraseTenant } from '../operations/erase/erase.ts'
import { phasePrinter, print, type Run, UsageError } from './command.ts'
import { withOperator } from './with-operator.ts'

const phaseTexts: Record<ErasePhase, string | null> = {
  recorded: 'Erasing. It cannot be taken back; after an interruption run the command again.',
  fenced: 'Nothing is written for the tenant any more.',
  counted: null,
  removed: 'Removed. Writing files anew, for which all writes to them wait.',
  rewritten: null,
  unfenced: null,
}

export const erase: Run = async (config, { argument, flags }, service) => {
  if (!flags.has('erase'))
    throw new UsageError(
      'Nothing is erased without --erase, which cannot be taken back: tenant deactivate keeps it all.',
    )
  return withOperator(config, service, async ({ context }) => {
    const erasure = await eraseTenant(context, argument, { reached: phasePrinter(phaseTexts) })
    for (const line of describe(erasure)) print(line)
    print(`Tenant ${argument} is erased.`)
    print('Not reached: backups, exported archives, logs, and what receivers of webhooks have got.')
  })
}

function describe({ rows, deleted, emptied, left }: Erasure): string[] {
  const counts = Object.entries(rows).map(([table, count]) => `${table} ${count}`)
  return [
    `Rows removed: ${counts.length === 0 ? 'none' : counts.join(', ')}.`,
    ...deleted.map((file) => `Deleted: ${file}.`),
    ...emptied.map((name) => `Nobody has rows in ${name} any more; it is left empty.`),
    ...left,
  ]
}
