import { readFileSync } from 'node:fs'

/** It lies one folder up from the sources and from the build alike. */
const file = new URL('../package.json', import.meta.url)
const content = JSON.parse(readFileSync(file, 'utf8')) as { version: string } // npm asks for the member

/** The version of the package. */
export const { version } = content
