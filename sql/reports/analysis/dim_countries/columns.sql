-- What the view dim_countries and its columns mean.
comment on view dim_countries is 'Countries of storefronts by name, for joins and filters
Key: country';
comment on column dim_countries.country is 'ISO 3166-1 alpha-2, or XK';
comment on column dim_countries.name is 'What it is called in English';
comment on column dim_countries.name_ja is 'What it is called in Japanese';
comment on column dim_countries.continent is 'Africa, Antarctica, Asia, Europe, North America (the Caribbean included), Oceania or South America';
