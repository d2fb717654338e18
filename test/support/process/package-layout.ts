/** The package in a folder, as npm installs it: from the bundle that is there, and from fresh declarations. */
import { execFile } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { compilerCommand } from './compiler-command.ts'
import { atRunTime, npm } from './package.ts'
import { project } from './workplace.ts'

/**
 * @param scratch a folder for what is between @param target of the package
 * @returns the paths of its files, sorted
 */
export async function layOutPackage(scratch: string, target: string): Promise<string[]> {
  const declarations = join(scratch, 'declarations')
  await compileDeclarations(declarations)
  const sources = new Map([
    ...filesIn(project, packable, (path) => path),
    ...filesIn(declarations, ['**'], (path) => `dist/${path}`),
  ])
  const files = await packedFiles(sources, join(scratch, 'skeleton'))
  for (const file of files) copyTo(join(target, file), sources.get(file) ?? '')
  return files
}

/** Makes what the package depends on, and the given packages for development, known to a project. */
export function linkDependencies(folder: string, development: readonly string[]): void {
  for (const path of atRunTime(development)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(project, path), join(folder, path))
  }
}

/** What npm may choose from. Declarations of an earlier build do not count. */
const packable = [
  '*',
  '.*',
  '{assets,bin,docs,templates}/**',
  '{assets,docs,templates}/**/.*',
  'dist/**/!(*.d.ts)',
]

async function compileDeclarations(folder: string): Promise<void> {
  const { arguments: words, environment } = compilerCommand(
    '-p',
    'tsconfig.build.json',
    '--noCheck',
    '--outDir',
    folder,
  )
  const env = { ...process.env, ...environment }
  await promisify(execFile)(process.execPath, words, { cwd: project, env })
}

/** @returns where each file is, by its path in the package */
function filesIn(
  folder: string,
  patterns: string[],
  rename: (path: string) => string,
): [path: string, file: string][] {
  const entries = globSync(patterns, { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.map(({ parentPath, name }) => {
    const file = join(parentPath, name)
    return [rename(file.slice(folder.length + 1)), file]
  })
}

/** Decided by npm for files without content: to compress them takes most of the time of `npm pack`. */
async function packedFiles(sources: ReadonlyMap<string, string>, skeleton: string): Promise<string[]> {
  const deciding = ['package.json', '.npmignore', '.gitignore']
  for (const [path, file] of sources) {
    const copy = join(skeleton, path)
    if (deciding.includes(basename(path))) copyTo(copy, file)
    else {
      mkdirSync(dirname(copy), { recursive: true })
      writeFileSync(copy, '')
    }
  }
  const [packed] = JSON.parse(await npm(skeleton, 'pack', '--dry-run', '--ignore-scripts', '--json'))
  return packed.files.map(({ path }: { path: string }) => path).toSorted()
}

function copyTo(path: string, file: string): void {
  mkdirSync(dirname(path), { recursive: true })
  copyFileSync(file, path)
}
