/** An application in a folder, whose command line is run in a process of its own. */
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const project = resolve(import.meta.dirname, '../../..')
const sources = join(project, 'src')
const bundle = join(project, 'dist/index.js')

/** What the package exports: the bundle while no source is newer, because the sources take four times as long to load. */
export const entry = isBundled() ? bundle : join(sources, 'index.ts')

/** @param fields of its one entity, as code @returns the command that runs it */
export function writeApplication(folder: string, name: string, fields: string): string[] {
  const file = join(folder, 'start.ts')
  writeFileSync(
    file,
    `import { entity, oneOf, readMigrations, runCommandLine, text } from '${entry}'

const ${name} = entity('${name}', { ${fields} })
process.exitCode = await runCommandLine(process.argv.slice(2), {
  features: [${name}],
  migrations: readMigrations(new URL('migrations', import.meta.url)),
})
`,
  )
  return [process.execPath, file]
}

function isBundled(): boolean {
  if (!existsSync(bundle)) return false
  const builtAtMs = statSync(bundle).mtimeMs
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  return files.every((file) => statSync(join(sources, file)).mtimeMs <= builtAtMs)
}
