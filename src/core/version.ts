import { readFileSync } from 'node:fs'

/** The folder of the package: one up from the sources and from the build alike. */
export const packageFolder = new URL('../../', import.meta.url)

const text = readFileSync(new URL('package.json', packageFolder), 'utf8')
const content = JSON.parse(text) as { version: string } // npm asks for the member

/** The version of the package. */
export const { version } = content
