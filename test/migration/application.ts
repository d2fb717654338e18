/** An application in a folder, whose command line is run in a process of its own. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const entry = resolve(import.meta.dirname, '../../src/index.ts')

/** @param fields of its one entity, as code @returns the command that runs it */
export function writeApplication(folder: string, name: string, fields: string): string[] {
  const file = join(folder, 'start.ts')
  writeFileSync(
    file,
    `import { boolean, date, entity, integer, oneOf, readMigrations, reference, runCommandLine, sequence, text } from '${entry}'

const ${name} = entity('${name}', { ${fields} })
process.exitCode = await runCommandLine(process.argv.slice(2), {
  features: [${name}],
  migrations: readMigrations(new URL('migrations', import.meta.url)),
})
`,
  )
  return [process.execPath, file]
}
