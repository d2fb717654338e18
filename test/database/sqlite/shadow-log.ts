/**
 * Loaded into the service before all else (`--import`): keeps a copy of the log as it was when its last completed sync
 * began, as the file that SHADOW_LOG names.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const shadow = process.env['SHADOW_LOG'] ?? ''
const { fdatasync } = fs

Object.assign(fs, {
  fdatasync: (descriptor: number, done: fs.NoParamCallback) => {
    const bytes = Buffer.alloc(fs.fstatSync(descriptor).size)
    fs.readSync(descriptor, bytes, 0, bytes.length, 0)
    fdatasync(descriptor, (error) => {
      if (error === null) {
        fs.writeFileSync(`${shadow}.part`, bytes)
        fs.renameSync(`${shadow}.part`, shadow)
      }
      done(error)
    })
  },
})
syncBuiltinESMExports()
