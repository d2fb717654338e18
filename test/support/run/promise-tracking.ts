/**
 * Takes the promises away from what `node:test` follows with its asynchronous hook: to follow them is a fifth of the
 * work of all tests. What it finds by them is the test of an error that nobody awaits: it now fails its process instead.
 */
import { type AsyncHook, createHook } from 'node:async_hooks'

const withPromises = createHook({})
const withoutPromises = createHook({ trackPromises: false })
const { enable } = Object.getPrototypeOf(withPromises)
const choice = Object.getOwnPropertySymbols(withPromises).find(
  (symbol) => Reflect.get(withPromises, symbol) !== Reflect.get(withoutPromises, symbol),
)
if (choice === undefined)
  throw new Error('An asynchronous hook of this Node.js keeps nothing about promises.')

Object.getPrototypeOf(withPromises).enable = function (this: AsyncHook): AsyncHook {
  Reflect.set(this, choice, true)
  return enable.call(this)
}
