#!/usr/bin/env node
// Starts the service or a command: checks the version of Node.js, and runs the bundle or the sources. This file is
// plain old JavaScript, because it has to run on any Node.js to say which version is needed.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 7)) {
  process.stderr.write(
    `Tenantry needs Node.js 24.7 or newer; this is ${process.versions.node}. ` +
      'In a checkout use the npm scripts (npm start); elsewhere run "npm install node@26" in this folder first.\n',
  )
  process.exit(1)
}
/**
 * Settings of glibc's allocator, which reads them when a process begins. By default threads keep memory that they have
 * freed, so that the process needs a quarter more memory after large replies.
 */
const allocator = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}
if (process.platform === 'linux' && process.argv[2] === 'serve') beginAgainWith(allocator)
const { existsSync, readdirSync, statSync } = await import('node:fs')
const { enableCompileCache } = await import('node:module')
const { fileURLToPath } = await import('node:url')
// Compiled code is cached, which saves a third of the work of a start. The folder is in the package: in a shared
// folder, other users could leave code that this process would run.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/tenantry', import.meta.url)))
const bundle = new URL('../dist/main.js', import.meta.url)
const sources = new URL('../src/', import.meta.url)
await import(isBundled() ? bundle.href : new URL('main.ts', sources).href)

/** Whether to run the bundle. A package has nothing else; in a checkout the bundle counts while no source is newer. */
function isBundled() {
  if (!existsSync(sources)) return true
  if (!existsSync(bundle)) return false
  const builtAt = statSync(bundle).mtimeMs
  const files = readdirSync(sources, { recursive: true }).map((name) => new URL(name, sources))
  return files.every((file) => statSync(file).mtimeMs <= builtAt)
}

/** Starts this program again, in the same process, with the settings, unless the environment has one of them. */
function beginAgainWith(settings) {
  if (Object.keys(settings).some((name) => process.env[name] !== undefined)) return
  const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  process.execve(process.execPath, words, { ...process.env, ...settings })
}
