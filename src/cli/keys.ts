import { rotateKeys } from '../key/rotate.ts'
import { print, type Run } from './command.ts'
import { withService } from './with-service.ts'

export const rotate: Run = (config) =>
  withService(config, async (context, { keys }) => {
    print(`New tokens are signed with key ${await rotateKeys(context, keys)}.`)
  })
