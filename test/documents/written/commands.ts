/** The reference of all commands, from their declarations. */
import { commands } from '../../../src/cli/commands.ts'
import { help } from '../../../src/cli/help.ts'

export function commandReference(): string {
  return [...commands.keys()]
    .map((name) => [`## tenantry ${name}`, '', '```text', help([...name.split(' ')]), '```'].join('\n'))
    .join('\n\n')
    .concat('\n')
}
