/** What an action may be called: its name is a part of those of a route, a mutation and a permission. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { entity, text } from '../../src/index.ts'

const declare = (name: string, access?: string) => () =>
  entity('message', {
    fields: { title: text() },
    actions: { [name]: access === undefined ? {} : { access: access as 'admin' } }, // words and permissions
  })

describe('The name of an action', () => {
  for (const name of ['create', 'update', 'delete', 'get', 'change'])
    it(`is not ${name}, as an operation of every entity is called`, () => {
      assert.throws(declare(name), new RegExp(`message\\.${name}: every entity has this operation already`))
    })

  for (const name of ['read', 'write', 'all', 'list', 'replace'])
    it(`is not ${name} where its access would be that permission of the rows`, () => {
      for (const access of ['user', 'admin', 'host'])
        assert.throws(
          declare(name, access),
          new RegExp(`would be the permission message:${name}, which is not`),
        )
      const { permissions, routes } = declare(name, 'message:mark')()
      assert.ok('message:mark' in (permissions ?? {}))
      const route = routes.find(({ path }) => path === `/api/messages/:id/${name}`)
      assert.equal(route?.access, 'message:mark')
      assert.equal(declare(name)().routes.find(({ path }) => path === route?.path)?.access, 'message:write')
    })
})
