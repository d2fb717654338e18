/** Which test files touch what has changed: by imports, and by the folder of `test` that mirrors one of `src`. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'

const project = resolve(import.meta.dirname, '../../..')

/** What knows every feature. An import through it says nothing about what a test is about. */
const wiring = /^src\/(service|cli|testing|main|index)\b/

const specifiers = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g

/**
 * @param files paths from the root of the project
 * @param changed the same; by default what differs from `main`, or in the last commit where nothing does
 * @returns those of the files that touch what has changed
 */
export function filesThatTouch(files: readonly string[], changed = changedFiles()): string[] {
  const importers = importersOf()
  const touched = new Set(changed)
  for (const path of touched) {
    if (wiring.test(path)) continue
    for (const importer of importers.get(path) ?? []) touched.add(importer)
  }
  const folders = new Set(changed.flatMap(foldersOf))
  return files.filter((file) => touched.has(file) || folders.has(dirname(file)))
}

/** The folders of tests that are about a file which they do not import. */
function foldersOf(path: string): string[] {
  if (path.startsWith('src/')) return [mirrorOf(dirname(path))]
  if (/^assets\/console(-panel)?\//.test(path)) return ['test/console']
  return /^docs\/|\.(md|json|graphql)$|^\.env/.test(path)
    ? ['test/documents', 'test/api/openapi', 'test/rules']
    : []
}

function changedFiles(): string[] {
  const base = git('merge-base', 'HEAD', 'main')[0] ?? 'HEAD'
  const found = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
  return found.length > 0 ? found : git('diff', '--name-only', 'HEAD~1', 'HEAD')
}

/** @returns the lines of the output; none without a repository */
function git(...words: string[]): string[] {
  try {
    const text = execFileSync('git', words, {
      cwd: project,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return text.split('\n').filter((line) => line !== '')
  } catch {
    return []
  }
}

/** The files that import each file. */
function importersOf(): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const path of globSync(['src/**/*.ts', 'test/**/*.ts', 'examples/**/*.ts', 'assets/**/*.{ts,tsx}'], {
    cwd: project,
  })) {
    for (const [, specifier = ''] of readFileSync(join(project, path), 'utf8').matchAll(specifiers)) {
      const target = posix.join(dirname(path), specifier)
      const known = importers.get(target)
      if (known === undefined) importers.set(target, [path])
      else known.push(path)
    }
  }
  return importers
}

/** The nearest folder of `test` that there is. */
function mirrorOf(folder: string): string {
  const mirror = folder.replace(/^src/, 'test')
  return mirror === 'test' || existsSync(join(project, mirror)) ? mirror : mirrorOf(dirname(folder))
}
