-- Lines of a file that are blank or hold no address: no rows, but told of. Null of imports from before.
alter table imports add column blank bigint;
