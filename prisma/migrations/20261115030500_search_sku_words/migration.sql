-- "RUN-42" is the words RUN and 42; left alone, the parser would read the number -42.
DROP INDEX IF EXISTS "variants_search_idx";
CREATE INDEX "variants_sku_words_idx" ON "variants" USING GIN (to_tsvector('simple', regexp_replace(coalesce("sku", ''), '[^[:alnum:]]+', ' ', 'g')));
