/** The version of this package, and the folder that it is installed in. */
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { pathToFileURL } from 'node:url'

const path = findPackageJSON('.', import.meta.url)
if (path === undefined) throw new Error('The package.json of the service is missing.')

/** The folder of the package, above the sources and the build alike. */
export const packageFolder = new URL('./', pathToFileURL(path))

const content = JSON.parse(readFileSync(path, 'utf8')) as { version: string } // npm requires the member

export const { version } = content
