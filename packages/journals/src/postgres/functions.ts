/**
 * The functions of a journal: each is one statement for its caller, and decides by the rows that it has locked.
 *
 * PG-1. Every transaction locks rows in one order: threads as the writer sorted them, then blobs by name, then the instance. Of the parent of a fork
 *       it locks the key only, which nothing but a removal waits for, and a removal has locked the threads of one tree and no blob by then. A group locks
 *       the rows that are there before it makes those of new threads. If two transactions wait for each other nevertheless, the server ends
 *       one of them, and each of its batches is sent again alone.
 * PG-2. What a function decides on is read after the lock was taken, in a statement of its own: a statement sees the database as it was when it began.
 * PG-3. Every row is found by a key, and no statement waits long for a lock: the settings of the connections ensure that (`connection-pool.ts`).
 */
import { heartbeatTimeout } from '../storage/liveness.ts'
import { appendFunctions } from './append-functions.ts'
import { leaseFunctions } from './lease-functions.ts'
import { secondsOf } from './sql-text.ts'

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
 * Removes a thread with its children and the blobs that only they have, unless its head is not the expected one, or one of them is driven or read by a fork
 * outside of them. The thread is named by its number: a new thread under the same name is another one. Without a number, children are removed that a
 * thread of this name has left behind. `p_gone` are instances that are known to be gone, though their last heartbeats are recent.
 *
 * A fork that starts meanwhile locks the parent's key (`has_moment`): either it is committed when this function looks for forks, or it finds no parent.
 * A child starts only while its parent is driven, and then the parent is not removed.
 */
function remove(s: string): string {
  const own = `select o.hash from ${s}.thread_blobs o where o.thread = any(tree)`
  const orphaned = `p_id is null and t.parent = p_name and not exists (select 1 from ${s}.threads o where o.name = p_name)`
  const first = `select t.id, t.name from ${s}.threads t where t.id = p_id or (${orphaned})`
  const family = `with recursive family(id, name) as (${first} union select t.id, t.name from ${s}.threads t join family f on t.parent = f.name)`
  const driven = `t.status = 'running' and i.beat > now() - ${secondsOf(heartbeatTimeout)} and i.id <> all(p_gone)`
  return `
create or replace function ${s}.remove(p_id bigint, p_name text, p_incarnation text, p_seq bigint, p_gone text[])
  returns table (kind text, parent text, fork text, thread text, holder text, instance text, host text, pid bigint, started text, removed json) language plpgsql as $$
#variable_conflict use_column
declare
  head record;
  tree bigint[];
  whole bigint[];
begin
  kind := 'removed';
  loop
    tree := whole;
    ${family} select array_agg(f.id) into whole from family f;
    exit when whole is null or whole <@ tree;
    perform 1 from ${s}.threads t where t.id = any(whole) order by t.name for update;
  end loop;
  select t.seq, coalesce(t.incarnation, t.name) as incarnation into head from ${s}.threads t where t.id = p_id;
  if whole is null or (p_id is not null and not found) then
    return next;
    return;
  end if;
  select t.name, t.worker, i.id, i.host, i.pid, i.started into thread, holder, instance, host, pid, started
    from ${s}.threads t join ${s}.instances i on i.id = t.instance where t.id = any(tree) and ${driven} order by t.id = p_id desc, t.name limit 1;
  select t.name into fork from ${s}.threads t
    where t.fork_thread in (select o.name from ${s}.threads o where o.id = any(tree)) and t.id <> all(tree) order by t.name limit 1;
  select p.name into parent from ${s}.threads t join ${s}.threads p on p.name = t.parent
    where t.id = p_id and p.status in ('running', 'waiting', 'failed');
  if p_seq <> head.seq or p_incarnation <> head.incarnation then
    kind := 'changed';
  elsif parent is not null then
    kind := 'awaited';
  elsif holder is not null then
    kind := 'held';
  elsif fork is not null then
    kind := 'forked';
  else
    perform 1 from ${s}.blobs b where b.hash in (${own}) order by b.hash for update;
    update ${s}.blobs b set threads = b.threads - (select count(*) from ${s}.thread_blobs o where o.hash = b.hash and o.thread = any(tree))
      where b.hash in (${own});
    delete from ${s}.blobs b where b.threads < 1 and b.hash in (${own});
    delete from ${s}.thread_blobs o where o.thread = any(tree);
    delete from ${s}.batches b where b.thread = any(tree);
    insert into ${s}.removals (name, incarnation, seq) select t.name, coalesce(t.incarnation, t.name), t.seq from ${s}.threads t where t.id = any(tree);
    select json_agg(t.name) into removed from ${s}.threads t where t.id = any(tree);
    delete from ${s}.threads t where t.id = any(tree);
  end if;
  return next;
end $$;`
}
