/**
 * The functions of a journal: each is one statement for its caller, and decides by the rows that it has locked.
 *
 * PG-1. Every transaction locks rows in one order: threads as the writer sorted them, then blobs by name, then the instance. Of the parent of a fork
 *       it locks the key only, which nothing but a removal waits for, and a removal has locked one thread and no blob by then. A group locks
 *       the rows that are there before it makes those of new threads. If two transactions wait for each other nevertheless, the server ends one of them, and each of its batches is sent again alone.
 * PG-2. What a function decides on is read after the lock was taken, in a statement of its own: a statement sees the database as it was when it began.
 * PG-3. Every row is found by a key, and no statement waits long for a lock: the settings of the connections ensure that (`connection-pool.ts`).
 */
import { appendFunctions } from './append-functions.ts'
import { leaseFunctions } from './lease-functions.ts'

/** The functions of a schema. */
export function functionsOf(s: string): string {
  return [appendFunctions(s), leaseFunctions(s), remove(s)].join('\n')
}

/** The names of all functions that any format had. */
export const functionNames: readonly string[] = [
  ...['link', 'chain_start', 'has_moment', 'begin_thread', 'refusal', 'append', 'append_all'],
  ...['take', 'acquire', 'release', 'sign', 'remove'],
]

/**
 * Removes a thread and the blobs that only it has, unless its head is not the expected one or a fork reads it. The thread is named by its number: a new
 * thread under the same name is another one.
 *
 * A fork that starts meanwhile locks the parent's key (`has_moment`): either it is committed when this function looks for forks, or it finds no parent.
 */
function remove(s: string): string {
  const own = `select o.hash from ${s}.thread_blobs o where o.thread = p_id`
  return `
create or replace function ${s}.remove(p_id bigint, p_incarnation text, p_seq bigint) returns table (kind text, fork text) language plpgsql as $$
declare
  head record;
begin
  kind := 'removed';
  select t.name, coalesce(t.incarnation, t.name) as incarnation, t.seq into head from ${s}.threads t where t.id = p_id for update;
  if not found then
    return next;
    return;
  end if;
  select t.name into fork from ${s}.threads t where t.fork_thread = head.name order by t.name limit 1;
  if p_seq <> head.seq or p_incarnation <> head.incarnation then
    kind := 'changed';
  elsif fork is not null then
    kind := 'forked';
  else
    perform 1 from ${s}.blobs b where b.hash in (${own}) order by b.hash for update;
    update ${s}.blobs b set threads = b.threads - 1 where b.hash in (${own});
    delete from ${s}.blobs b where b.threads < 1 and b.hash in (${own});
    delete from ${s}.thread_blobs o where o.thread = p_id;
    delete from ${s}.batches b where b.thread = p_id;
    delete from ${s}.threads t where t.id = p_id;
    insert into ${s}.removals (name, incarnation, seq) values (head.name, head.incarnation, head.seq);
  end if;
  return next;
end $$;`
}
