/** An application of one entity in a folder, whose commands tests run. */
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const project = resolve(import.meta.dirname, '../../..')
const sources = join(project, 'src')
const bundle = join(project, 'dist/index.js')

/** What tests import themselves: an application whose commands run in their process has the same copy. */
export const ownEntry = join(sources, 'index.ts')

/** For processes: the bundle while no source is newer, because the sources take four times as long to load. */
export const entry = isBundled() ? bundle : ownEntry

let written = 0

/**
 * Each time into a file of another name: a process loads a file once.
 * @param fields of its one entity, as code @returns the option that names the file to a command in this process
 */
export function writeConfig(folder: string, name: string, fields: string): string[] {
  const file = join(folder, `application-${++written}.ts`)
  writeFileSync(
    file,
    `import { defineConfig, entity, oneOf, text } from '${ownEntry}'

const ${name} = entity('${name}', { ${fields} })
export default defineConfig({ features: [${name}], migrations: 'migrations' })
`,
  )
  return ['--config', file]
}

/** @param fields of its one entity, as code @returns the command that runs it in a process of its own */
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
