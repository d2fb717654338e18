/** What differs between the package managers with which a new application can be created. */
import { installerOf } from '../core/settings/config.ts'

export interface Installer {
  name: string
  /** The file of the template that only it reads. */
  ownFile: string | null
  /** Whether it makes the Node.js of the development dependency `node` known to scripts. */
  bringsNode: boolean
}

const npm: Installer = { name: 'npm', ownFile: null, bringsNode: true }

const others: readonly Installer[] = [
  { name: 'pnpm', ownFile: 'pnpm-workspace.yaml', bringsNode: true },
  { name: 'yarn', ownFile: 'yarnrc.yml', bringsNode: false },
]

/** @returns the package manager that runs the command; npm for an unknown one and for none */
export function findInstaller(environment: NodeJS.ProcessEnv | undefined): Installer {
  const name = installerOf(environment)
  return others.find((each) => each.name === name) ?? npm
}

/** @returns the files of the template that only other package managers read */
export function foreignFiles({ name }: Installer): string[] {
  return others.filter((other) => other.name !== name).flatMap(({ ownFile }) => ownFile ?? [])
}
