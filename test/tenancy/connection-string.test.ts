import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ServiceError } from '../../src/core/errors.ts'
import { parseConnectionString } from '../../src/tenancy/connection-string.ts'

const folder = '/data/tenants'

describe('A connection string', () => {
  const files: [string, string][] = [
    ['sqlite:acme.db', 'acme.db'],
    ['SQLite:Acme.DB', 'acme.db'],
    ['sqlite:a', 'a'],
    ['sqlite:acme-2.v1.db', 'acme-2.v1.db'],
    ['Data Source=acme.db', 'acme.db'],
    ['Data Source = acme.db ;', 'acme.db'],
    ['DataSource=acme.db', 'acme.db'],
    ['Filename="acme.db"', 'acme.db'],
  ]
  for (const [text, file] of files) {
    it(`names a file in the tenants' folder: ${text}`, () => {
      assert.deepEqual(parseConnectionString(text, folder), { kind: 'sqlite', path: `${folder}/${file}` })
    })
  }

  const servers: [string, string][] = [
    ['postgres://u:p@db.example.com:5433/acme', 'postgres://u:p@db.example.com:5433/acme'],
    ['postgresql://u@db/acme?sslmode=require', 'postgresql://u@db/acme?sslmode=require'],
    ['POSTGRES://u@[::1]/acme', 'POSTGRES://u@[::1]/acme'],
    ['Host=db;Port=5433;Database=acme;Username=u;Password=p', 'postgres://u:p@db:5433/acme'],
    ['Server=db;Initial Catalog=acme;User Id=u;Pwd=p;', 'postgres://u:p@db:5432/acme'],
    ['host=db; database=acme; uid=u; password="p w"', 'postgres://u:p%20w@db:5432/acme'],
    [
      'Host=db;Database=acme;Username=a@b;Password=/:?#=&',
      'postgres://a%40b:%2F%3A%3F%23%3D%26@db:5432/acme',
    ],
    ['Host=::1;Database=acme;SSL Mode=Require', 'postgres://:@[::1]:5432/acme?sslmode=require'],
  ]
  for (const [text, url] of servers) {
    it(`names a PostgreSQL database: ${text}`, () => {
      assert.deepEqual(parseConnectionString(text, folder), { kind: 'postgres', url })
    })
  }

  const refused = [
    ' ',
    'acme.db',
    './acme.db',
    'sqlite:',
    'sqlite: acme.db',
    'sqlite:../acme.db',
    'sqlite:..',
    'sqlite:.hidden',
    'sqlite:a/../../acme.db',
    'sqlite:a/b.db',
    'sqlite:a\\b.db',
    'sqlite:/etc/passwd',
    'sqlite://acme.db',
    'sqlite:///etc/passwd',
    'sqlite:C:\\acme.db',
    'sqlite:%2e%2e%2facme.db',
    'sqlite:acme.db?mode=memory',
    'sqlite::memory:',
    'sqlite:acme.db\n',
    'sqlite:acmé.db',
    'sqlite:acme.db-wal',
    'sqlite:acme.db-SHM',
    'sqlite:acme-journal',
    `sqlite:${'a'.repeat(129)}`,
    'file:acme.db',
    'file:///etc/passwd',
    'Data Source=../acme.db',
    'Data Source=/etc/passwd',
    'Data Source=:memory:',
    'Data Source=',
    'Data Source=acme.db;Mode=ReadOnly',
    'Data Source=acme.db;Host=db',
    'Data Source=acme.db;Data Source=other.db',
    'mysql://u:p@db/acme',
    'sqlserver://db/acme',
    'mongodb://db/acme',
    'http://db/acme',
    'javascript:alert(1)',
    'postgres:',
    'postgres://',
    'postgres:///acme',
    'postgres://db',
    'postgres://db/',
    'postgres://db/a/b',
    'postgres://db:99999/acme',
    'postgres://db:port/acme',
    'postgres://%2Fvar%2Frun%2Fpostgresql/acme',
    'postgres://db/acme?host=/var/run/postgresql',
    'postgres://db/acme?host=other',
    'postgres://db/acme?sslrootcert=/etc/passwd',
    'postgres://db/acme?sslkey=/etc/passwd&sslmode=require',
    'postgres://db/acme?options=-c%20statement_timeout%3D0',
    'postgres://db/acme?sslmode=require&sslmode=disable',
    'socket:/var/run/postgresql?db=acme',
    '/var/run/postgresql acme',
    'Host=db',
    'Database=acme',
    'Host=;Database=acme',
    'Host=db;Database=',
    'Host=db;Database=acme;Database=other',
    'Host=db;Server=other;Database=acme',
    'Host=db;Database=acme;Pooling=true',
    'Host=db;Database=acme;Port=none',
    'Host=db;Database=acme;Port=99999',
    'Host=/var/run/postgresql;Database=acme',
    'Host=db/other?;Database=acme',
    'Host=db;Database=a/b',
    'Host=db;Database=acme?host=other',
    'Host=db;Database=acme;Password',
    'Server=tcp:db,1433;Database=acme;Encrypt=True',
    'a=b',
    '=',
    ';;;=',
    '__proto__=x;Host=db;Database=acme',
    'constructor=x;Host=db;Database=acme',
  ]
  for (const text of refused) {
    it(`is refused with a text that says what is accepted: ${JSON.stringify(text).slice(0, 70)}`, () => {
      assert.throws(
        () => parseConnectionString(text, folder),
        (error) => {
          assert.ok(error instanceof ServiceError)
          assert.equal(error.status, 400)
          for (const form of ['connectionString: ', 'postgres://', 'sqlite:name.db', 'Host=']) {
            assert.ok(error.message.includes(form), error.message)
          }
          return true
        },
      )
    })
  }
})
