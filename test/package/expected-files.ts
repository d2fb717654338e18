import assert from 'node:assert/strict'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { project } from '../support/process/workplace.ts'

/** What the package has to consist of. @param files that it has: the names of chunks come from them */
export function expectedFiles(files: readonly string[]): string[] {
  const modules = globSync('**/*.ts', { cwd: join(project, 'src') })
  const declarations = modules.map((path) => `dist/${path.replace(/\.ts$/, '.d.ts')}`)
  const chunks = files.filter((path) => /^dist\/[\w-]+\.js$/.test(path))
  assert.ok(chunks.includes('dist/main.js') && chunks.includes('dist/index.js'))
  assert.ok(chunks.length < 50, `${chunks.length} files are no bundle`)
  const page = ['LICENSES.txt', 'graphiql.css', 'graphiql.js', 'index.html'].map(
    (name) => `dist/graphiql/${name}`,
  )
  const swagger = ['LICENSE', 'swagger-ui-bundle.js', 'swagger-ui.css'].map(
    (name) => `dist/swagger-ui/${name}`,
  )
  const migrations = globSync('**/migrations/*', { cwd: join(project, 'src') })
  const copied = migrations.map((path) => `dist/${path}`)
  const ofConsole = globSync('dist/console/**/*.{html,css,js,br,txt,woff2}', { cwd: project })
  assert.ok(ofConsole.includes('dist/console/index.html') && ofConsole.length > 3)
  const ofPanels = ['inter.woff2', 'panel.css', 'panel.js'].map((name) => `dist/console-panel/${name}`)
  const pages = [...page, ...swagger, ...ofConsole, ...ofPanels]
  const built = [...declarations, ...chunks, ...copied, 'dist/LICENSES.txt', ...pages]
  const assets = globSync(['assets/reference/*.{html,css,js}', 'assets/passwords/*'], { cwd: project })
  const documents = globSync('docs/**/{*.{md,json,conf,cfg},Caddyfile}', { cwd: project })
  const templates = globSync('templates/**/*', { cwd: project }).filter((path) =>
    statSync(join(project, path)).isFile(),
  )
  const single = ['.env.example', 'CHANGELOG.md', 'LICENSE', 'README.md', 'bin/tenantry.js', 'package.json']
  return [...built, ...assets, ...documents, ...templates, ...single].toSorted()
}
