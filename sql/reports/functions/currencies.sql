-- Which codes are currencies at all: those of ISO 4217, and those withdrawn since the stores opened, for old sales.
-- What a store writes beside them is stored as it came: its money has that code, is never converted, and is counted.
create or replace function marts.is_known_currency(currency text) returns boolean
language sql immutable
as $$
    select is_known_currency.currency = any (string_to_array(
        'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF '
        'CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD '
        'HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD '
        'MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN '
        'PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD '
        'TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG '
        'ANG BGN BYR CUC EEK HRK LTL LVL MRO SKK SLL STD VEF ZMK ZWL', ' '
    ))
$$;

comment on function marts.is_known_currency is 'Whether a code is a currency of ISO 4217';
