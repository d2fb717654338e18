/** Bare Fastify and node:sqlite: the same queries without any feature. */
import { DatabaseSync } from 'node:sqlite'
import { newId } from '../../src/core/id.ts'
import { bareServer, listen, type ProductRequests, replies } from './listen.ts'

const columns = `id, name, description, price, is_active AS isActive, category_id AS categoryId,
  created_at AS createdAt, updated_at AS updatedAt`

const database = new DatabaseSync('floor.db')
database.exec(`
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4000;
  CREATE TABLE product (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT, price DECIMAL(15,4) NOT NULL,
    is_active BOOLEAN NOT NULL, category_id TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE event (
    id TEXT PRIMARY KEY, type TEXT NOT NULL, data TEXT NOT NULL, created_at TEXT NOT NULL
  ) WITHOUT ROWID;
`)
const byId = database.prepare(`SELECT ${columns} FROM product WHERE id = ?`)
const page = database.prepare(`SELECT ${columns} FROM product ORDER BY id LIMIT ?`)
const insertProduct = database.prepare('INSERT INTO product VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
const insertEvent = database.prepare('INSERT INTO event VALUES (?, ?, ?, ?)')

const app = bareServer()

app.get<ProductRequests['byId']>('/api/products/:id', replies.product, (request, reply) => {
  reply.send(byId.get(request.params.id))
})

app.get<ProductRequests['list']>('/api/products', replies.list, (request, reply) => {
  reply.send(page.all(Number(request.query.limit)))
})

app.post<ProductRequests['create']>('/api/products', replies.product, (request, reply) => {
  const { name, description = null, price } = request.body
  const id = newId()
  const now = new Date().toISOString()
  database.exec('BEGIN IMMEDIATE')
  insertProduct.run(id, name, description, price, 1, null, now, now)
  insertEvent.run(newId(), 'product.created', JSON.stringify({ productId: id, name, price }), now)
  database.exec('COMMIT')
  const product = {
    id,
    name,
    description,
    price,
    isActive: true,
    categoryId: null,
    createdAt: now,
    updatedAt: now,
  }
  reply.code(201).send(product)
})

await listen(app)
